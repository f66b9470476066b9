/** `mw.ext`: functions of extensions. Data and coordinates are those of a wiki that has none. */
export const EXT = String.raw`
local host, tools, env = ...
local error = error
return {
  ParserFunctions = {
    expr = function (text)
      return host.expression(tools.tostring(text))
    end,
  },
  data = {
    get = function (name) return host.jsonPage('Data:' .. tools.tostring(name)) or false end,
  },
  FlaggedRevs = {getStabilitySettings = function () return nil end},
  TitleBlacklist = {test = function () return nil end},
}
`
