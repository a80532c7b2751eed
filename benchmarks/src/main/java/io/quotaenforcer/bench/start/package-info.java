/** How soon a client and a demo are there, and how large their jars are. */
@NullMarked
package io.quotaenforcer.bench.start;

import org.jspecify.annotations.NullMarked;
