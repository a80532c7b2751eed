package io.quotaenforcer.core.match;

import java.util.List;

/**
 * Finds which of many items have all of their conditions met, by looking values up rather than
 * trying item after item. Immutable; {@link #find} may be called by any thread.
 *
 * <p>Each item stands once, under one of its conditions: its rarest. Those with the same condition
 * there are divided by their next ones in the same way. Conditions that can only be tried
 * (expressions, the middle of a wildcard, absence) are tried on the few items that are left; items
 * that have no others are tried one by one.
 */
public final class MatchIndex<T> {
  private final MatchNode<T> root;

  private MatchIndex(MatchNode<T> root) {
    this.root = root;
  }

  /**
   * Something to be found.
   *
   * @param conditions all of which must hold, at most one for each attribute; none always holds
   */
  public record Entry<T>(T item, List<Condition> conditions) {
    public Entry {
      conditions = List.copyOf(conditions);
    }
  }

  /** Is told what was found. */
  @FunctionalInterface
  public interface Found<T> {
    void found(T item);

    /** An item whose conditions hold as far as is known: one on {@code attribute} was given up. */
    default void foundUnsure(T item, String attribute) {
      found(item);
    }
  }

  public static <T> MatchIndex<T> of(List<Entry<T>> entries) {
    return new MatchIndex<>(new MatchBuild<T>().node(entries.stream().map(Pending::of).toList()));
  }

  /** Tells {@code found} each item whose conditions hold, or may, once, in no order. */
  public void find(AttributeValues values, Found<? super T> found) {
    root.find(values, found);
  }
}
