/** What the enforcer keeps in RocksDB: names, keys and values of its stores. */
@NullMarked
package io.quotaenforcer.enforcer.store;

import org.jspecify.annotations.NullMarked;
