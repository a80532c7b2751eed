package io.quotaenforcer.rules;

import org.snakeyaml.engine.v2.nodes.Node;

/** Checks the names of attributes. */
public final class Attributes {
  private static final int MAX_CHARS = 100;

  private Attributes() {}

  /** Reports a name that no request could sensibly have. */
  public static boolean check(Node node, String name, Problems problems) {
    boolean sensible =
        !name.isBlank()
            && name.length() <= MAX_CHARS
            && name.equals(name.strip())
            && !Scalars.hasLoneSurrogate(name)
            && name.codePoints().noneMatch(Character::isISOControl);
    if (!sensible) {
      problems.at(
          node,
          "attribute %s is no name; use 1 to %s characters without space around them"
              .formatted(Problems.quote(name), MAX_CHARS));
    }
    return sensible;
  }
}
