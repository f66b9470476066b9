local p = {}

function p.of(frame)
	return tonumber(frame.args[1]) ^ 2
end

return p
