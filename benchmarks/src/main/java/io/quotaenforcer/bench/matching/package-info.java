/** What it costs to find the rules that match a request, by how many rules there are. */
@NullMarked
package io.quotaenforcer.bench.matching;

import org.jspecify.annotations.NullMarked;
