/** Dead letters: reading them and redriving them. */
@NullMarked
package io.quotaenforcer.enforcer.deadletters;

import org.jspecify.annotations.NullMarked;
