package io.quotaenforcer.core.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The classes of a rule's requests, in the order in which they are served: while the limit is
 * scarce, the last one is throttled first. Immutable.
 *
 * @param all none for a rule that makes no difference between its requests
 */
public record DemandClasses(List<DemandClass> all) {
  /** Most classes of a rule. */
  public static final int MAX = 8;

  /** All requests are alike. */
  public static final DemandClasses NONE = new DemandClasses(List.of());

  public DemandClasses {
    all = List.copyOf(all);
    if (all.size() > MAX) {
      throw new IllegalArgumentException(
          "must be at most %d: classes=%d".formatted(MAX, all.size()));
    }
    if (all.stream().map(DemandClass::name).collect(Collectors.toSet()).size() < all.size()) {
      throw new IllegalArgumentException("must have different names: classes=" + all);
    }
    if (all.stream().mapToInt(DemandClass::reserveBasisPoints).sum() > DemandClass.WHOLE) {
      throw new IllegalArgumentException("must reserve 100 % at most: classes=" + all);
    }
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  public int size() {
    return all.size();
  }

  /** The index of the class that is served last; 0 without classes. */
  public int last() {
    return Math.max(0, all.size() - 1);
  }

  /** Whether others borrow of the rule; their class is the last. */
  public boolean lends() {
    return !all.isEmpty() && all.get(last()).equals(DemandClass.BORROWED);
  }

  /** Whether there is room for a class of requests that borrow, and its name is free. */
  boolean mayLend() {
    return lends()
        || (size() < MAX
            && all.stream().noneMatch(each -> each.name().equals(DemandClass.BORROWED.name())));
  }

  /** The same classes, and after them that of requests that borrow. */
  public DemandClasses withBorrowed() {
    if (lends()) {
      return this;
    }
    List<DemandClass> more = new ArrayList<>(isEmpty() ? List.of(DemandClass.NOMINAL) : all);
    more.add(DemandClass.BORROWED);
    return new DemandClasses(more);
  }

  /** The index of the class of requests that are of no other; 0 without classes. */
  public int lastDeclared() {
    return lends() ? last() - 1 : last();
  }

  /**
   * The index of the class of a request: the first whose conditions hold, or else the one that has
   * none, or else the last that is declared; 0 without classes.
   */
  public int of(Map<String, String> attributes) {
    int otherwise = lastDeclared();
    for (int i = 0; i <= lastDeclared() && i < all.size(); i++) {
      DemandClass each = all.get(i);
      if (each.match().isEmpty()) {
        otherwise = i;
      } else if (each.matches(attributes)) {
        return i;
      }
    }
    return otherwise;
  }

  /** The index of a class. */
  public OptionalInt indexOf(String name) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).name().equals(name)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** The name of a class; empty without classes. */
  public String name(int index) {
    return all.isEmpty() ? "" : all.get(index).name();
  }

  /**
   * Permits of a limit that a class may not take, however little demand there is: those that are
   * above {@code up-to}, or reserved for the classes before it.
   */
  public long withheld(int index, long permits) {
    long reserved = 0;
    for (int i = 0; i < index; i++) {
      reserved += reserved(i, permits);
    }
    return Math.max(reserved, above(index, permits));
  }

  /** The permits of a limit that are reserved for a class. */
  public long reserved(int index, long permits) {
    return part(all.get(index).reserveBasisPoints(), permits);
  }

  /** The permits of a limit that a class always leaves to others. */
  public long above(int index, long permits) {
    return all.isEmpty() ? 0 : permits - part(all.get(index).upToBasisPoints(), permits);
  }

  /** Limits have up to 10^12 permits. */
  private static long part(int basisPoints, long permits) {
    return permits * basisPoints / DemandClass.WHOLE;
  }
}
