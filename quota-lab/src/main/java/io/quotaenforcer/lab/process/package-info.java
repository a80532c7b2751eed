/** Brokers, enforcers and services as processes of their own, and signals to them. */
@NullMarked
package io.quotaenforcer.lab.process;

import org.jspecify.annotations.NullMarked;
