/** Contents of the enforcer's RocksDB stores: names, keys and values. */
@NullMarked
package io.quotaenforcer.enforcer.store;

import org.jspecify.annotations.NullMarked;
