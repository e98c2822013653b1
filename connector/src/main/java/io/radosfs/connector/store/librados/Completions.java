// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one C function that librados calls when an operation is complete ({@code rados_callback_t}),
 * and the operations that librados may call it for, by the number in {@code cb_arg}.
 *
 * <p>librados calls it from a few threads of its own, one call at a time for each cluster handle.
 * These threads are attached to the JVM at their first call, as daemons, and stay attached.
 */
final class Completions {

  private static final ThreadGroup THREADS = new ThreadGroup("librados callbacks");
  private static final Map<Long, PendingOp<?>> PENDING = new ConcurrentHashMap<>();
  private static final AtomicLong LAST_ID = new AtomicLong();

  /** Set in librados' threads. Their group tells less: threads that are made there have it too. */
  private static final ThreadLocal<Boolean> OF_LIBRADOS = new ThreadLocal<>();

  /** {@code void (*rados_callback_t)(rados_completion_t cb, void *arg)}. */
  private interface RadosCallback extends Callback {
    void callback(long completion, long arg);
  }

  /** Must stay reachable for ever: the C function lives only as long as this object. */
  private static final RadosCallback CALLBACK = Completions::completed;

  private static final long FUNCTION;

  static {
    Native.setCallbackThreadInitializer(
        CALLBACK, new CallbackThreadInitializer(true, false, "radosfs-librados", THREADS));
    FUNCTION = Pointer.nativeValue(CallbackReference.getFunctionPointer(CALLBACK));
  }

  private Completions() {}

  /** The address of the C function. */
  static long function() {
    return FUNCTION;
  }

  /** A number for an operation. */
  static long nextId() {
    return LAST_ID.incrementAndGet();
  }

  /** From now on the callback finds the operation by its number. */
  static void register(long id, PendingOp<?> op) {
    PENDING.put(id, op);
  }

  /** Forgets an operation for which librados will not call. */
  static void unregister(long id) {
    PENDING.remove(id);
  }

  /** The operations that librados has not called back for. */
  static List<PendingOp<?>> pending() {
    return List.copyOf(PENDING.values());
  }

  /** Whether this is librados' callback thread, which can deliver no other answers meanwhile. */
  static boolean inCallback() {
    return OF_LIBRADOS.get() != null;
  }

  private static void completed(long completion, long arg) {
    try {
      OF_LIBRADOS.set(true);
    } finally { // where there is no memory for it: whoever waits would wait for ever
      PendingOp<?> op = PENDING.remove(arg);
      if (op != null) {
        op.completed();
      }
    }
  }
}
