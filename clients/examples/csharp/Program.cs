using Edgehill.V1;
using Grpc.Net.Client;

if (args is not [var server, var wanted])
{
    Console.Error.WriteLine("usage: dotnet run HOST:PORT GAME|all");
    return 2;
}
using var channel = GrpcChannel.ForAddress($"http://{server}");
List<string> games = [wanted];
if (wanted == "all")
{
    var list = await new CatalogService.CatalogServiceClient(channel).ListGamesAsync(new ListGamesRequest());
    games = list.Games.Select(game => game.Id).ToList();
}
foreach (var game in games)
{
    var result = await new RandomBot(channel).PlayAsync(game);
    Console.WriteLine($"{game}: {result.Code}, returns {string.Join(' ', result.Returns)}");
}
return 0;
