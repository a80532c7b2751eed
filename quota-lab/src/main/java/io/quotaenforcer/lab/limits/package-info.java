/** One limit of each algorithm, for what is measured of all of them. */
@NullMarked
package io.quotaenforcer.lab.limits;

import org.jspecify.annotations.NullMarked;
