/** The loads on limits that move in real time: a broker, an enforcer, and admission clients. */
@NullMarked
package io.quotaenforcer.bench.moving.real;

import org.jspecify.annotations.NullMarked;
