/** Many users who come in visits, most of them below their limit: who of them is turned away. */
@NullMarked
package io.quotaenforcer.bench.accuracy.innocents;

import org.jspecify.annotations.NullMarked;
