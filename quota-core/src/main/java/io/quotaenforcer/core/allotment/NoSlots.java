package io.quotaenforcer.core.allotment;

/** What a request holds of a rule that counts no slots. */
record NoSlots() implements HeldSlots {}
