/** What Ceph's own command-line tools say of a cluster: a witness beside radosfs's own counters. */
package io.radosfs.cephcli;
