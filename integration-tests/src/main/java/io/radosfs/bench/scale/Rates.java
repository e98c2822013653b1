// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

/**
 * How fast things were, where a forecast needs it.
 *
 * @param ofOneObject omap writes a second that one object took, as fast as any number of writers
 *     made them
 * @param clientCpu seconds of the clients' processors for an operation of a job
 * @param osdCpu seconds of the OSDs' processors for one, all copies included
 */
public record Rates(double ofOneObject, double clientCpu, double osdCpu) {

  public Rates {
    if (!(ofOneObject > 0 && clientCpu > 0 && osdCpu > 0)) {
      throw new IllegalArgumentException(
          "rates of " + ofOneObject + ", " + clientCpu + ", " + osdCpu);
    }
  }
}
