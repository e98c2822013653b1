// SPDX-License-Identifier: Apache-2.0
/** What the benchmark measured, and the views of it: table, JSON, CSV, plots, one page. */
package io.radosfs.bench.report;
