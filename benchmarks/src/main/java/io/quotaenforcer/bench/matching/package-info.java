/** The cost of finding the rules that match a request, by the number of rules. */
@NullMarked
package io.quotaenforcer.bench.matching;

import org.jspecify.annotations.NullMarked;
