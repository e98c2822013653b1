// SPDX-License-Identifier: Apache-2.0
/** Which machines hold the objects of a file. */
package io.radosfs.connector.placement;
