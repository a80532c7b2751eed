/** Load clients: as fast as answers come, or at times that are fixed before. */
@NullMarked
package io.quotaenforcer.bench.gateway.load;

import org.jspecify.annotations.NullMarked;
