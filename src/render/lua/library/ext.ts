/** `mw.ext`: functions of extensions. Data pages and coordinates behave as on a wiki without any. */
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
