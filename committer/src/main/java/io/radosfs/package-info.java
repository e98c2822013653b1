// SPDX-License-Identifier: Apache-2.0
/** What users name in their settings. */
package io.radosfs;
