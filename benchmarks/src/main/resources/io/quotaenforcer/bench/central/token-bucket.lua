-- The permits that were in a bucket, and when; full when it is not there.
-- KEYS[1] the bucket; ARGV now and period in microseconds, permits: its capacity, refilled in a period
local now = tonumber(ARGV[1])
local period = tonumber(ARGV[2])
local capacity = tonumber(ARGV[3])
local bucket = redis.call('HMGET', KEYS[1], 'permits', 'at')
local permits = tonumber(bucket[1]) or capacity
local at = tonumber(bucket[2]) or now
-- The clocks of two clients differ.
local passed = math.max(0, now - at)
permits = math.min(capacity, permits + passed * capacity / period)
local admitted = 0
if permits >= 1 then
  permits = permits - 1
  admitted = 1
end
redis.call('HSET', KEYS[1], 'permits', permits, 'at', math.max(now, at))
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - permits) / capacity * period / 1000) + 1)
return admitted
