// SPDX-License-Identifier: Apache-2.0
/** Documentation is compared with the code. */
package io.radosfs.connector.docs;
