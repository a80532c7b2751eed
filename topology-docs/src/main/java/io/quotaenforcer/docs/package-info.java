/** Pages of documentation that are written from the code. */
@NullMarked
package io.quotaenforcer.docs;

import org.jspecify.annotations.NullMarked;
