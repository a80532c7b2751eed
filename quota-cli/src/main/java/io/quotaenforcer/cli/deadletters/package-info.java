/** Records that were put aside: what they are, and how they are written once more. */
@NullMarked
package io.quotaenforcer.cli.deadletters;

import org.jspecify.annotations.NullMarked;
