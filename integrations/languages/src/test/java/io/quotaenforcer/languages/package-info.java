/** Runs what is written in other languages, beside Kafka and an enforcer. */
@NullMarked
package io.quotaenforcer.languages;

import org.jspecify.annotations.NullMarked;
