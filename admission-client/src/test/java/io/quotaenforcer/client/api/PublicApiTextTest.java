package io.quotaenforcer.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublicApiTextTest {
  private static final String HERE = PublicApiTextTest.class.getName() + ".";

  /** To be extended. */
  public static class Base {}

  /** Everything that a signature may hold. */
  public abstract static class Toy<T extends Comparable<T>> extends Base
      implements Supplier<@Nullable T> {
    public static final int ANSWER = 42;
    public static final String WORD = "word";
    public static final Object NO_CONSTANT = new Object();
    private static final long HIDDEN = 1L;

    protected Toy(@Nullable String name, int... numbers) throws IOException {
      if (name == null || numbers.length == HIDDEN) {
        throw new IOException();
      }
    }

    Toy() {}

    public abstract Map<String, ? extends @Nullable Number> map(Collection<? super T> from);

    public final @Nullable T @Nullable [] array(T[] given) {
      return given;
    }

    protected <E extends Exception> void run() throws E {}

    void hidden() {}

    @Deprecated
    public void old() {}
  }

  /** A record shows its components. */
  public record Pair(String left, @Nullable Pair right) {
    public static Pair of(String left) {
      return new Pair(left, null);
    }
  }

  /** A sealed type shows who may be it. */
  public sealed interface Shape {
    default boolean isRound() {
      return this instanceof Circle;
    }

    int corners();

    /** One of them. */
    record Circle() implements Shape {
      @Override
      public int corners() {
        return 0;
      }
    }
  }

  /** An enum shows its constants. */
  public enum Light {
    RED,
    GREEN
  }

  /** An interface for lambdas shows that it is one. */
  @FunctionalInterface
  public interface Task {
    void run(Light light) throws InterruptedException;
  }

  private static List<String> text(Class<?> type) {
    return ApiChange.lines(PublicApi.of(List.of(type), other -> false)).stream()
        .map(line -> line.replace(HERE, ""))
        .toList();
  }

  @Test
  void classOfAnyKind_showsSupertypesMembersAndNulls() {
    assertThat(text(Toy.class))
        .containsExactly(
            "Toy<T extends Comparable<T>>: abstract class extends Base implements"
                + " Supplier<@Nullable T>",
            "  field static final ANSWER: int = 42",
            "  field static final NO_CONSTANT: Object",
            "  field static final WORD: String = word",
            "  method abstract map(Collection<? super T>): Map<String, ? extends @Nullable Number>",
            "  method final array(T[]): @Nullable T @Nullable []",
            "  method old(): void @Deprecated",
            "  method protected run<E extends Exception>() throws E: void",
            "  new (@Nullable String, int...) throws IOException");
  }

  @Test
  void record_showsItsComponentsInOrder() {
    assertThat(text(Pair.class))
        .containsExactly(
            "Pair: record",
            "  component left: String",
            "  component right: @Nullable Pair",
            "  method left(): String",
            "  method right(): @Nullable Pair",
            "  method static of(String): Pair",
            "  new (String, @Nullable Pair)");
  }

  @Test
  void sealedType_showsWhoMayBeIt_andNestedTypesToo() {
    assertThat(text(Shape.class))
        .containsExactly(
            "Shape.Circle: record implements Shape",
            "  method corners(): int",
            "  new ()",
            "Shape: sealed interface permits Shape.Circle",
            "  method corners(): int",
            "  method default isRound(): boolean");
  }

  @Test
  void enumAndFunctionalInterface_showWhatUsersRelyOn() {
    assertThat(text(Light.class))
        .containsExactly("Light: enum", "  constant GREEN", "  constant RED");
    assertThat(text(Task.class))
        .containsExactly(
            "Task: interface @FunctionalInterface",
            "  method run(Light) throws InterruptedException: void");
  }

  @Test
  void typesThatAppear_areFollowedOnce_whereThatIsWanted() {
    assertThat(PublicApi.of(List.of(Task.class), type -> type == PublicApiTextTest.class).keySet())
        .as("the outermost type stands for those nested in it")
        .contains(HERE + "Light: enum", HERE + "Pair: record");
  }

  @Test
  void change_isToldWithItsType() {
    List<String> before =
        List.of("a.One: class", "  method go(): void", "a.Two: record", "  new ()");
    List<String> after =
        List.of("a.One: final class", "  method go(int): void", "a.Two: record", "  new ()");

    assertThat(ApiChange.between(before, after))
        .containsExactly(
            "- a.One: class",
            "- a.One method go(): void",
            "+ a.One: final class",
            "+ a.One method go(int): void");
    assertThat(ApiChange.between(before, before)).isEmpty();
  }
}
