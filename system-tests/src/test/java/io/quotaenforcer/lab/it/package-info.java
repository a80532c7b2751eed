/** Whole loops on a real broker, some of them in processes of their own. */
@NullMarked
package io.quotaenforcer.lab.it;

import org.jspecify.annotations.NullMarked;
