/** Programs of services under load, which write down all that they decide. */
@NullMarked
package io.quotaenforcer.lab.service;

import org.jspecify.annotations.NullMarked;
