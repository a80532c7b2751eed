/** Documentation pages generated from the code. */
@NullMarked
package io.quotaenforcer.docs;

import org.jspecify.annotations.NullMarked;
