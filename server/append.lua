#!lua
-- Compare-and-append to the log of a table, all or nothing. The shebang keeps replicas, and a store that is full or
-- cannot write, from running it at all.
--
-- KEYS 1 the log, a stream: entry n has the id n-0 and the fields i (its own id), t (ms), d (data)
--      2 the records of finished deals, a hash; only where one is to be kept
-- ARGV 1 number and 2 id of the entry that the writer has folded last ('0', '' before the first)
--      3 ms to keep the log from now on ('0': for ever)
--      4 the word to publish with, PUBLISH or SPUBLISH  5 the channel to publish on
--      6 the most missed entries to answer with
--      7 the first entry that the log is to have from now on, at most the one of 1 ('0': as it is)
--      8 ms to keep the records from now on ('0': for ever)  9 how many words follow for the hash: fields and values
--      then these, and id and data of each new entry
-- The channel has the hash tag of the log, but must not stand in KEYS: while a slot moves that gives TRYAGAIN.
--
-- {1, ms ...}      appended now, or already there: the time of each
-- {2, entries}     the log goes on behind that entry with others: these, as XRANGE gives them
-- {3, number, id}  the log has no such entry, but this head; {3} if there is no log
-- {4}              the log begins behind that entry: its beginning was trimmed
local log, after, after_id = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local keep_ms, publish, channel, most = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local first, records_ms, words = ARGV[7], ARGV[8], 9 + tonumber(ARGV[9])
local count = (#ARGV - words) / 2

local function number_of(entry) return tonumber(string.match(entry[1], '^%d+')) end
local function id_of(entry) return entry[2][2] end
local function ms_of(entry) return tonumber(entry[2][4]) end

local function diverged()
  local head = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not head then return {3} end
  return {3, number_of(head), id_of(head)}
end

local tail = redis.call('XRANGE', log, ARGV[1] .. '-0', '+', 'COUNT', math.max(count, most) + 1)
local ms = 0
if tail[1] and number_of(tail[1]) > math.max(after, 1) then return {4} end
if after > 0 then
  local at = table.remove(tail, 1)
  if not at or id_of(at) ~= after_id then return diverged() end
  ms = ms_of(at)
end

local there = 0
while there < count and tail[there + 1] and id_of(tail[there + 1]) == ARGV[words + 1 + 2 * there] do
  there = there + 1
end
if there < count and tail[there + 1] then
  while #tail > most do table.remove(tail) end
  return {2, tail}
end

local answer = {1}
for k = 1, there do
  ms = ms_of(tail[k])
  answer[k + 1] = ms
end
if there == count then return answer end

local time = redis.call('TIME')
ms = math.max(ms, time[1] * 1000 + math.floor(time[2] / 1000))
local wake = {'log', after + there, there == 0 and after_id or id_of(tail[there])}
if KEYS[2] then
  redis.call('HSET', KEYS[2], unpack(ARGV, 10, words))
  if records_ms ~= '0' then redis.call('PEXPIRE', KEYS[2], records_ms) else redis.call('PERSIST', KEYS[2]) end
end
for k = there + 1, count do
  local id, data = ARGV[words + 2 * k - 1], ARGV[words + 2 * k]
  redis.call('XADD', log, (after + k) .. '-0', 'i', id, 't', ms, 'd', data)
  answer[k + 1] = ms
  wake[#wake + 1] = id
  wake[#wake + 1] = ms
  wake[#wake + 1] = data
end
if first ~= '0' then redis.call('XTRIM', log, 'MINID', '=', first .. '-0') end
if keep_ms ~= '0' then redis.call('PEXPIRE', log, keep_ms) else redis.call('PERSIST', log) end
redis.call(publish, channel, cmsgpack.pack(wake))
return answer
