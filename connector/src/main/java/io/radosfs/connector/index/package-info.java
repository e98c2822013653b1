// SPDX-License-Identifier: Apache-2.0
/**
 * One directory index object: reading parts of it at one instant, and changing it under guards.
 * What pending transactions make of it is the next layer's business ({@code transaction}).
 */
package io.radosfs.connector.index;
