// SPDX-License-Identifier: Apache-2.0
/**
 * What the repository shows of reports: tables on a page, a few plots, and all figures as CSV. It
 * says nothing about how anything is measured; it reads reports, and chooses by names of figures.
 */
package io.radosfs.bench.publish;
