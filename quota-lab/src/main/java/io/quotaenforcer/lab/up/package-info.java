/** A broker that keeps its records, an enforcer and a gateway in one process, for first steps. */
@NullMarked
package io.quotaenforcer.lab.up;

import org.jspecify.annotations.NullMarked;
