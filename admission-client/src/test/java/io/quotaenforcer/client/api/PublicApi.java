package io.quotaenforcer.client.api;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public signatures of types: what source and class files that were compiled against them rely
 * on, but for the names of parameters. A line for each, in an order of its own.
 */
final class PublicApi {
  private static final Set<String> OF_EVERY_ENUM = Set.of("values", "valueOf");
  private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

  private final TypeText text = new TypeText();
  private final SortedMap<String, List<String>> byType = new TreeMap<>();

  private PublicApi() {}

  /**
   * The signatures of some types, the types nested in them, and those that appear in them.
   *
   * @param follows which of the types that appear are described as well; what appears in these only
   *     is not
   * @return by the line of the type, the lines of its members
   */
  static SortedMap<String, List<String>> of(
      Collection<Class<?>> types, Predicate<Class<?>> follows) {
    PublicApi api = new PublicApi();
    types.forEach(api::describe);
    Set<Class<?>> appearing = new TreeSet<>(Comparator.comparing(Class::getName));
    api.text.written().stream()
        .filter(each -> !each.isPrimitive() && !each.isArray())
        .map(PublicApi::outermost)
        .filter(each -> follows.test(each) && !types.contains(each))
        .forEach(appearing::add);
    appearing.forEach(api::describe);
    return api.byType;
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return outer == null ? type : outermost(outer);
  }

  private void describe(Class<?> type) {
    List<String> members = new ArrayList<>();
    if (type.isRecord()) {
      Arrays.stream(type.getRecordComponents())
          .map(it -> "component " + it.getName() + ": " + text.of(it.getAnnotatedType()))
          .forEach(members::add);
    }
    List<String> others = new ArrayList<>();
    Arrays.stream(type.getDeclaredFields())
        .filter(field -> isSeen(field, type))
        .map(this::field)
        .forEach(others::add);
    Arrays.stream(type.getDeclaredConstructors())
        .filter(constructor -> isSeen(constructor, type))
        .map(this::constructor)
        .forEach(others::add);
    Arrays.stream(type.getDeclaredMethods())
        .filter(method -> isSeen(method, type) && !isEverywhere(method, type))
        .map(this::method)
        .forEach(others::add);
    others.sort(Comparator.naturalOrder());
    members.addAll(others);
    byType.put(header(type), members);
    Arrays.stream(type.getDeclaredClasses())
        .filter(nested -> Modifier.isPublic(nested.getModifiers()))
        .forEach(this::describe);
  }

  /** By who uses the type: a member that only subclasses see is of no use where there are none. */
  private static boolean isSeen(Member member, Class<?> type) {
    return !member.isSynthetic()
        && (Modifier.isPublic(member.getModifiers())
            || (Modifier.isProtected(member.getModifiers())
                && !Modifier.isFinal(type.getModifiers())));
  }

  private static boolean isEverywhere(Method method, Class<?> type) {
    return (type.isEnum() && OF_EVERY_ENUM.contains(method.getName()))
        || OF_EVERY_OBJECT.contains(method.getName());
  }

  private String header(Class<?> type) {
    String supertype = "";
    AnnotatedType parent = type.getAnnotatedSuperclass();
    if (parent != null
        && !Set.of(Object.class, Record.class).contains(type.getSuperclass())
        && !type.isEnum()) {
      supertype = " extends " + text.of(parent);
    }
    AnnotatedType[] interfaces = type.getAnnotatedInterfaces();
    String implemented =
        interfaces.length == 0
            ? ""
            : text.list(type.isInterface() ? " extends " : " implements ", interfaces, "");
    Class<?>[] permitted = type.getPermittedSubclasses();
    String permits =
        permitted == null
            ? ""
            : Arrays.stream(permitted)
                .map(text::name)
                .collect(Collectors.joining(", ", " permits ", ""));
    return text.name(type)
        + text.variables(type.getTypeParameters())
        + ": "
        + words(type.getModifiers() & ~implied(type))
        + (type.isSealed() ? "sealed " : "")
        + kind(type)
        + supertype
        + implemented
        + permits
        + marks(type);
  }

  private static String kind(Class<?> type) {
    if (type.isAnnotation()) {
      return "@interface";
    }
    if (type.isInterface()) {
      return "interface";
    }
    return type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
  }

  private static int implied(Class<?> type) {
    int implied = Modifier.PUBLIC | Modifier.STATIC | Modifier.INTERFACE;
    if (type.isInterface()) {
      implied |= Modifier.ABSTRACT;
    }
    return type.isRecord() || type.isEnum() ? implied | Modifier.FINAL : implied;
  }

  private String field(Field field) {
    if (field.isEnumConstant()) {
      return "constant " + field.getName();
    }
    return "field "
        + words(field.getModifiers() & ~Modifier.PUBLIC)
        + field.getName()
        + ": "
        + text.of(field.getAnnotatedType())
        + value(field)
        + marks(field);
  }

  /** A constant's value is in the class files of those who use it. */
  private static String value(Field field) {
    boolean isConstant =
        Modifier.isStatic(field.getModifiers())
            && Modifier.isFinal(field.getModifiers())
            && (field.getType().isPrimitive() || field.getType() == String.class);
    try {
      return isConstant ? " = " + field.get(null) : "";
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("must be public: field=" + field, e);
    }
  }

  private String constructor(Constructor<?> constructor) {
    return "new " + signature(constructor) + marks(constructor);
  }

  private String method(Method method) {
    boolean ofInterface = method.getDeclaringClass().isInterface();
    int implied = Modifier.PUBLIC | (ofInterface ? Modifier.ABSTRACT : 0);
    return "method "
        + (method.isDefault() ? "default " : "")
        + words(method.getModifiers() & ~implied & ~Modifier.SYNCHRONIZED)
        + method.getName()
        + signature(method)
        + ": "
        + text.of(method.getAnnotatedReturnType())
        + marks(method);
  }

  private String signature(Executable executable) {
    AnnotatedType[] thrown = executable.getAnnotatedExceptionTypes();
    String parameters = text.list("(", executable.getAnnotatedParameterTypes(), ")");
    return text.variables(executable.getTypeParameters())
        + (executable.isVarArgs() ? parameters.replaceFirst("\\[\\]\\)$", "...)") : parameters)
        + (thrown.length == 0 ? "" : text.list(" throws ", thrown, ""));
  }

  private static String marks(AnnotatedElement element) {
    return Stream.of(Deprecated.class, FunctionalInterface.class)
        .filter(element::isAnnotationPresent)
        .map(mark -> " @" + mark.getSimpleName())
        .collect(Collectors.joining());
  }

  private static String words(int modifiers) {
    String words = Modifier.toString(modifiers & ~(Modifier.TRANSIENT | Modifier.VOLATILE));
    return words.isEmpty() ? "" : words + " ";
  }
}
