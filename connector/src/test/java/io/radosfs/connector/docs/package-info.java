/** Documentation is compared with the code. */
package io.radosfs.connector.docs;
