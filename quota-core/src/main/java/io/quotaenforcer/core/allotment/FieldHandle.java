package io.quotaenforcer.core.allotment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Atomic access to a field: an object for each counter would be too much where there are a million.
 */
final class FieldHandle {
  private FieldHandle() {}

  /**
   * The handle of a field of the class that looks it up.
   *
   * @param of of that class
   */
  static VarHandle of(MethodHandles.Lookup of, String field, Class<?> type) {
    try {
      return of.findVarHandle(of.lookupClass(), field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
