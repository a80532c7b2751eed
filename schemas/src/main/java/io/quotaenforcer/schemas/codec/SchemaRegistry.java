package io.quotaenforcer.schemas.codec;

/**
 * Gives schemas ids, so that a record names its schema in four bytes.
 *
 * <p>Methods may wait for the network, a few seconds at most, and throw only {@link
 * CodecException}. Implementations are safe for use by many threads.
 */
public interface SchemaRegistry extends AutoCloseable {
  /**
   * Returns the id of a schema under a subject, registering it there when that is allowed.
   *
   * @param schema in JSON, with documentation and defaults
   * @throws CodecException if the registry refuses the schema, does not know it, or is away
   */
  int idOf(String subject, String schema);

  /**
   * Returns the schema with an id, in Avro's parsing canonical form.
   *
   * @throws CodecException if there is none or the registry is unavailable
   */
  String schemaOf(int id);

  /**
   * Whether a schema that is not registered under a subject would be compatible with those that
   * are.
   *
   * @param schema in JSON, with documentation and defaults
   * @throws CodecException if the registry does not say, or is away
   */
  boolean accepts(String subject, String schema);

  /** Its address for messages, without credentials. */
  String location();

  @Override
  void close();
}
