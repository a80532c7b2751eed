/** What a million waiting requests cost an enforcer, and how they leave it. */
@NullMarked
package io.quotaenforcer.bench.deferral;

import org.jspecify.annotations.NullMarked;
