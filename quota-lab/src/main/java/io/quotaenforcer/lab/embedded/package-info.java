/** A broker, topics and an enforcer in one process, for demos and tests. */
@NullMarked
package io.quotaenforcer.lab.embedded;

import org.jspecify.annotations.NullMarked;
