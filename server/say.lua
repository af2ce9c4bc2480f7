#!lua
-- Add a line to the chat of a table, unless a line with this id is still kept.
--
-- KEYS 1 the chat, a stream with the fields i (the line's own id), t (ms), d (data)
-- ARGV 1 id  2 data  3 ms to keep the chat from now on ('0': for ever)  4 PUBLISH or SPUBLISH  5 the channel for it
--      6 lines to keep
-- 1 added, 0 already there
local chat, id, data, keep_ms, publish, channel, kept = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local lines = redis.call('XREVRANGE', chat, '+', '-', 'COUNT', kept)
for _, line in ipairs(lines) do
  if line[2][2] == id then return 0 end
end

local time = redis.call('TIME')
-- Each line has a time of its own: by it a reader says how far he has heard.
local ms = math.max(lines[1] and tonumber(lines[1][2][4]) + 1 or 0, time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('XADD', chat, 'MAXLEN', '=', kept, '*', 'i', id, 't', ms, 'd', data)
if keep_ms ~= '0' then redis.call('PEXPIRE', chat, keep_ms) else redis.call('PERSIST', chat) end
redis.call(publish, channel, cmsgpack.pack({'chat', id, ms, data}))
return 1
