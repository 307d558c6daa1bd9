// An application with React Router. On the page, `data-order` says whether its router is made before or after resume().
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider, useLoaderData, useLocation, useParams } from 'react-router';
import { createFrontdesk } from '../../client/src/index.ts';

const { frontdesk: baseUrl = '', order } = document.documentElement.dataset;
const frontdesk = createFrontdesk({ baseUrl });
/** Routes are loaded once it is known who is signed in. */
const resumed = Promise.withResolvers<void>();
const loader = () => resumed.promise.then(() => frontdesk.me());

function Employee() {
  const { id } = useParams();
  const { search, hash } = useLocation();
  const { name } = useLoaderData<{ name: string }>();
  return <p>{`Employee ${id} ${search} ${hash}, shown to ${name}`}</p>;
}

const makeRouter = () =>
  createBrowserRouter([
    { path: '/', element: <p>The start page</p> },
    {
      path: '/employees/:id',
      loader,
      Component: Employee,
      HydrateFallback: () => <p>Loading…</p>,
    },
  ]);

async function start() {
  if (order === 'after') {
    if (!(await frontdesk.resume())) await frontdesk.signIn();
    resumed.resolve();
    return makeRouter();
  }
  const router = makeRouter();
  const onReturn = (path: string) => router.navigate(path, { replace: true });
  if (!(await frontdesk.resume({ onReturn }))) await frontdesk.signIn();
  resumed.resolve();
  return router;
}

createRoot(document.body).render(<RouterProvider router={await start()} />);
