/** How near to its limit a fleet decides, by allotments and by other ways. */
@NullMarked
package io.quotaenforcer.bench.accuracy;

import org.jspecify.annotations.NullMarked;
