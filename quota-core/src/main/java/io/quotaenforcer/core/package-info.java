/** The vocabulary: requests, quota keys, costs, decisions, and time as enforcer nanos. */
@NullMarked
package io.quotaenforcer.core;

import org.jspecify.annotations.NullMarked;
