/**
 * Changes that span directories and take effect at one instant (I5): prepared in every directory as
 * intents on names, decided by one operation on one object, then applied by whoever comes first.
 */
package io.radosfs.connector.transaction;
