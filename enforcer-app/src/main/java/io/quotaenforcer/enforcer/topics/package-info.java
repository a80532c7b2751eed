/** Creates and checks the topics of a prefix. */
@NullMarked
package io.quotaenforcer.enforcer.topics;

import org.jspecify.annotations.NullMarked;
