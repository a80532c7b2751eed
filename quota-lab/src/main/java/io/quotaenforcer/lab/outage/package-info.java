/**
 * Three brokers, two enforcers and three services, each a process of its own: what strict limits
 * admit while some of them are killed or stand still.
 */
@NullMarked
package io.quotaenforcer.lab.outage;

import org.jspecify.annotations.NullMarked;
