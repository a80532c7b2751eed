/** Dead letters: reading them and redriving them. */
@NullMarked
package io.quotaenforcer.cli.deadletters;

import org.jspecify.annotations.NullMarked;
