package io.quotaenforcer.core.match;

import java.util.List;

/**
 * Finds the items whose conditions all hold, by looking values up rather than trying item after
 * item. Immutable; {@link #find} may be called by any thread.
 *
 * <p>Each item is filed once, under its rarest condition. Items under the same condition are
 * divided by further ones in the same way. Conditions that can only be tried (expressions, the
 * middle of a wildcard, absence) are tried on the few remaining items; items without any other are
 * tried one by one.
 */
public final class MatchIndex<T> {
  private final MatchNode<T> root;

  private MatchIndex(MatchNode<T> root) {
    this.root = root;
  }

  /**
   * An item to be found.
   *
   * @param conditions all must hold, at most one for each attribute; with none, the item is always
   *     found
   */
  public record Entry<T>(T item, List<Condition> conditions) {
    public Entry {
      conditions = List.copyOf(conditions);
    }
  }

  /** Receives the items found. */
  @FunctionalInterface
  public interface Found<T> {
    void found(T item);

    /**
     * An item whose conditions hold as far as is known: the test of {@code attribute} was given up.
     */
    default void foundUnsure(T item, String attribute) {
      found(item);
    }
  }

  public static <T> MatchIndex<T> of(List<Entry<T>> entries) {
    return new MatchIndex<>(new MatchBuild<T>().node(entries.stream().map(Pending::of).toList()));
  }

  /** Passes to {@code found} each item whose conditions hold, or may hold, once, in no order. */
  public void find(AttributeValues values, Found<? super T> found) {
    root.find(values, found);
  }
}
