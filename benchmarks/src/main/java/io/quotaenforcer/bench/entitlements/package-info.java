/** What limits from data of many quota keys cost an enforcer. */
@NullMarked
package io.quotaenforcer.bench.entitlements;

import org.jspecify.annotations.NullMarked;
